// Threat: an answer that does not say what is in the log.
import Foundation
import Testing
import Verbatim

@Suite struct `A submit` {
  @Test func `is read at once by who waited for its answer, and is there again when the workspace is opened again`()
    async throws
  {
    let folder = WorkspaceFolder()
    let workspace = try folder.open()
    try await workspace.populate()
    let sent = try await workspace.send("hello", "m1")
    #expect(try await workspace.texts() == ["hello"])
    #expect(sent.receipt?.positions.upperBound == sent.position)
    await workspace.close()
    let again = try folder.open()
    #expect(try await again.texts() == ["hello"])
    #expect(try again.head() == sent.position)
    await again.close()
  }

  @Test func `that is refused says why, and changes nothing`() async throws {
    let folder = WorkspaceFolder()
    let workspace = try folder.open()
    try await workspace.populate()
    let head = try workspace.head()
    await #expect(performing: { try await workspace.send("", "m1") }, throws: isRefusal(.emptyMessage))
    #expect(try workspace.head() == head)
    await workspace.close()
  }
}

private func isRefusal(_ refusal: Refusal, at index: Int = 0) -> (any Error) -> Bool {
  { error in
    guard case .refused(refusal, index) = error as? SubmitError else { return false }
    return true
  }
}
