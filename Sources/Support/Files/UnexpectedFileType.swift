// A file of an unexpected type at a path that the program uses.

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A symbolic link, or a file of another type, found instead of a file or directory of the program.
package struct UnexpectedFileType: Hashable, Sendable {
  /// The path of the file.
  package let path: String
  /// The type of the file.
  package let found: FileType
  /// The type that the program expects: a regular file or a directory.
  package let expected: FileType

  /// The types of files, as `stat` reports them.
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

  /// The corresponding `errno`.
  internal var code: CInt {
    switch found {
    case .link: ELOOP
    case .directory: EISDIR
    case .file: ENOTDIR
    case .fifo, .socket, .device, .unknown: ENXIO
    }
  }

  /// The reason without the advice, for a longer sentence.
  package var reason: String { "\(path) is \(found.words), not \(expected.words)" }
}

extension UnexpectedFileType: CustomStringConvertible {
  /// One sentence: what was found, where, what to do.
  package var description: String {
    switch found {
    case .link:
      "\(path) is a symbolic link where Verbatim stores \(expected.words), and was not followed: put "
        + "\(expected.words) in its place, or name another path, then try again."
    default:
      "\(path) is \(found.words) where Verbatim stores \(expected.words): move it away, or name another path, then "
        + "try again."
    }
  }
}
