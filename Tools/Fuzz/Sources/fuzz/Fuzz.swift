// Decodes libFuzzer's inputs; whatever decodes must be encoded to the same bytes again.
import Chat
import ChatCodec
import EventLog
import Foundation

@main
enum Fuzz {
  /// Runs libFuzzer; with `--seeds FIXTURES CORPUS`, writes the seed inputs instead.
  static func main() throws {
    if CommandLine.arguments.dropFirst().first == "--seeds", CommandLine.arguments.count == 4 {
      let folders = CommandLine.arguments.suffix(2).map { URL(filePath: $0) }
      return try Seeds.write(from: folders[0], to: folders[1])
    }
    var count = CommandLine.argc
    var arguments = UnsafeMutablePointer(CommandLine.unsafeArgv)
    _ = runFuzzer(&count, &arguments, tryInput)
  }
}

/// LibFuzzer's own main function, as declared in its header `FuzzerInterface.h`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Tests an input; libFuzzer's library also requires a function of this name.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  if let input = Input(UnsafeRawBufferPointer(start: bytes, count: count)) { input.check() }
  return 0
}

/// An input: a byte for the type, a byte for the stream, and the payload.
struct Input {
  let type: StoredType
  let subject: StreamSubject
  let payload: UnsafeRawBufferPointer

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
    let shapes = Shape.allCases
    type = Int(bytes[0]) < shapes.count ? .shape(shapes[Int(bytes[0])]) : .app("poll", version: UInt32(bytes[0]))
    subject = Input.subjects[Int(bytes[1]) % Input.subjects.count]
    payload = UnsafeRawBufferPointer(rebasing: bytes[2...])
  }

  /// A stream of each form.
  static let subjects: [StreamSubject] = [
    .user("u"), .channel("c"), .draft(Draft.Key(by: "u", in: "c")), .draft(Draft.Key(by: "u", in: "c", thread: "m")),
    .composer(Composer.Key(of: "u", on: "d", in: "c")), .composer(Composer.Key(of: "u", on: "d", in: "c", thread: "m")),
    .app("a"),
  ]

  /// Decodes the payload; if it decodes, checks that it is encoded to the same bytes, or, for a retired shape, to the
  /// same event.
  func check() {
    let stamp = EventOrigin(by: .system, at: Timestamp(rawValue: 0))
    guard let event = try? decode(payload.bytes, as: type, in: subject, stamp) else { return }
    let written = encode(event)
    if case .shape(let shape) = type, let today = shape.successor {
      let again = try? decode(written.payload.span.bytes, as: .shape(today), in: subject, stamp)
      precondition(again == event, "\(type) is read as \(event), and written as \(String(describing: again))")
    } else {
      precondition(written.type == type.name, "\(type) is written as \(written.type)")
      let isSame = payload.elementsEqual(written.payload)
      precondition(isSame, "\(type): \(Array(payload)) is written as \(written.payload)")
    }
  }
}
