// Files and texts that a user gives to a page: chosen, pasted, dropped.
import ChildProcess
import Foundation

/// Held while a text is on the clipboard, which all windows share.
private let clipboard = NSLock()

extension Window {
  /// Chooses files for the first file input that matches a selector.
  package func setFiles(_ selector: String, _ paths: [String]) throws {
    let found: Found = try page.ask(
      "Runtime.evaluate",
      ["expression": "document.querySelector(\(literal(selector)))", "objectGroup": objectGroup])
    guard let id = found.result.objectId else { throw Browser.Failure.element("the page has no “\(selector)”") }
    try page.tell("DOM.setFileInputFiles", ["files": paths, "objectId": id])
  }

  /// Copies a text in another window, and pastes it at the focus with the keyboard.
  package func paste(_ text: String) throws {
    try clipboard.withLock {
      let source = try Page(Browser.Context(page.context.browser, page.wire, reach: .nothing))
      try source.tell("Emulation.setFocusEmulationEnabled", ["enabled": true])
      try source.run("(\(copying))(\(literal(text)))", asUser: true)
      // On macOS, the key itself is left to a menu.
      try press("v", isMac ? .meta : .control, commands: ["paste"])
    }
  }

  /// Pastes files at the focus. The page gets the same event as from a user, but it is not trusted.
  package func paste(files paths: [String]) throws {
    let files = try paths.map { path in
      let file = URL(fileURLWithPath: path)
      return [file.lastPathComponent, mediaType(of: file), try Data(contentsOf: file).base64EncodedString()]
    }
    try run("(\(pasting))(\(String(decoding: try JSONEncoder().encode(files), as: UTF8.self)))")
  }

  /// Drags a text from outside of the browser to a position, and drops it.
  package func drop(_ text: String, at point: Point) throws {
    try drop(["items": [["mimeType": "text/plain", "data": text]], "files": [], "dragOperationsMask": 1], at: point)
  }

  /// Drags files from outside of the browser to a position, and drops them.
  package func drop(files paths: [String], at point: Point) throws {
    try drop(["items": [], "files": paths, "dragOperationsMask": 1], at: point)
  }

  /// Drags to a position and drops there until the page has received it.
  ///
  /// If the element at the position was replaced after the drag moved over it, the browser refuses the drop. A user's
  /// pointer does not rest, and is over the new element at once.
  private func drop(_ data: [String: Any], at point: Point) throws {
    let deadline = Date(timeIntervalSinceNow: Double(Deadline.seconds))
    try run("window.isDropped = false; addEventListener('drop', () => { isDropped = true }, true)")
    repeat {
      for type in ["dragEnter", "dragOver", "drop"] {
        try page.tell("Input.dispatchDragEvent", ["type": type, "x": point.x, "y": point.y, "data": data])
      }
      try drawn()
      if try evaluate("isDropped") { return }
    } while deadline.timeIntervalSinceNow > 0
    throw Browser.Failure.element("nothing can be dropped at \(point)")
  }
}

private struct Found: Decodable {
  struct Object: Decodable { let objectId: String? }

  let result: Object
}

private func mediaType(of file: URL) -> String {
  let types = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "svg": "image/svg+xml", "txt": "text/plain", "html": "text/html", "json": "application/json",
    "pdf": "application/pdf",
  ]
  return types[file.pathExtension.lowercased()] ?? ""
}

#if canImport(Darwin)
  private let isMac = true
#else
  private let isMac = false
#endif

private let copying = """
  text => {
    document.addEventListener('copy', event => {
      event.clipboardData.setData('text/plain', text)
      event.preventDefault()
    }, { once: true })
    if (!document.execCommand('copy')) throw Error('the text cannot be copied')
  }
  """

private let pasting = """
  files => {
    const data = new DataTransfer()
    for (const [name, type, content] of files)
      data.items.add(new File([Uint8Array.from(atob(content), letter => letter.charCodeAt(0))], name, { type }))
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }
  """
