// A line editor in raw mode that displays its events.
import Terminal

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Shows typed text in an area of two lines, and each other event above it.
@main @MainActor package struct Worker {
  private var screen = Screen(size: WindowSize(of: 1))
  private var typed = ""
  private let input = Input()

  package static func main() async {
    do throws(RawModeError) {
      let rawMode = try RawMode()
      var worker = Worker()
      await worker.run(rawMode)
      rawMode.leave()
      Screen.write(Array("left\r\n".utf8))
    } catch {
      Screen.write(Array("\(error)\n".utf8))
      exit(2)
    }
  }

  private mutating func run(_ rawMode: borrowing RawMode) async {
    paint()
    for await event in input.events {
      switch event {
      case .key(.letter("d", .control)):
        return Screen.write(screen.paint([]))
      case .key(.letter("z", .control)): rawMode.suspend()
      case .key(.letter("x", .control)): exit(3)
      case .key(.letter("c", .control)): fatalError("crashed on purpose")
      case .key(.letter("w", .control)):
        Task.detached { [input] in input.wake() }
      case .key(.letter("t", .control)): input.wake(at: .now + .milliseconds(1))
      case .key(let key): take(key)
      case .resized(let size):
        screen.resize(to: size)
        paint("resized \(size.columns) \(size.rows)")
      case .resumed:
        screen.forget()
        paint("resumed")
      case .woken: paint("woken")
      }
    }
  }

  private mutating func take(_ key: Key) {
    switch key {
    case .text(let text):
      typed += text
      paint()
    case .named(.enter, []):
      let said = typed
      typed = ""
      paint("said \(said)")
    case .named(.backspace, []):
      _ = typed.popLast()
      paint()
    case .paste(let text): paint("pasted \(text.unicodeScalars.count) \(text.prefix(20))")
    case .named(let name, let modifiers): paint("\(name) \(modifiers.rawValue)")
    case .letter(let letter, let modifiers): paint("letter \(letter) \(modifiers.rawValue)")
    }
  }

  private mutating func paint(_ above: String? = nil) {
    let prompt = Line("> ", .colored(.green)) + Line(typed)
    let lines = [Line("a line editor", .inverse), prompt]
    let caret = Screen.Caret(line: 1, letter: 2 + typed.count)
    Screen.write(screen.paint(lines, caret: caret, above: above.map { [Line($0)] } ?? []))
  }
}
