// What is found in a path where a file or a directory of the program's own is kept.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A symbolic link, or a file of another type, in place of a file or directory that the program keeps.
package struct UnexpectedFileType: Error, Hashable, Sendable {
  /// Its path.
  package let path: String
  /// What it is.
  package let found: FileType
  /// What the program keeps there: a regular file or a directory.
  package let expected: FileType

  /// The types of files, as `stat` has them.
  package enum FileType: Hashable, Sendable {
    case file, directory, link, fifo, socket, device, unknown

    internal init(_ mode: mode_t) {
      self =
        switch mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .link
        case S_IFIFO: .fifo
        case S_IFSOCK: .socket
        case S_IFCHR, S_IFBLK: .device
        default: .unknown
        }
    }

    fileprivate var words: String {
      switch self {
      case .file: "a file"
      case .directory: "a directory"
      case .link: "a symbolic link"
      case .fifo: "a FIFO"
      case .socket: "a socket"
      case .device: "a device"
      case .unknown: "a file of an unknown type"
      }
    }
  }

  /// The code of the system for the same.
  internal var code: CInt {
    switch found {
    case .link: ELOOP
    case .directory: EISDIR
    case .file: ENOTDIR
    case .fifo, .socket, .device, .unknown: ENXIO
    }
  }

  /// What is wrong, without what to do: for a longer sentence.
  package var reason: String { "\(path) is \(found.words), not \(expected.words)" }
}

extension UnexpectedFileType: CustomStringConvertible {
  /// One sentence: what was found, where, what to do.
  package var description: String {
    switch found {
    case .link:
      "\(path) is a symbolic link where Verbatim keeps \(expected.words) of its own, and was not followed: remove it, "
        + "or put \(expected.words) in its place, then try again."
    default:
      "\(path) is \(found.words) where Verbatim keeps \(expected.words) of its own: remove it, then try again."
    }
  }
}
