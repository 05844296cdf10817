// The check of a data file's length against its meta page.

extension DataFile {
  /// Returns what is wrong with the file's length by a meta page; nil when every page that it counts is present.
  ///
  /// A sound file can end before the last page: pages that one transaction took and freed are never written. These are
  /// in the free list, which is read only when the file is short.
  public func lengthDefect(of meta: MetaPage) -> String? {
    let (present, counted) = (max(pageCount, 2), meta.lastPage.rawValue + 1)
    if present >= counted { return nil }
    let free = Set((try? freePages(of: meta)) ?? [])
    let lost = (present..<counted).lazy.filter { !free.contains($0) }
    guard let first = lost.first else { return nil }
    return "its file has \(size) bytes, and page \(first) of the \(counted) pages of \(pageSize) bytes that its newest "
      + "meta page counts is not in it: the file was cut off"
  }

  /// Returns the pages in the free list of a meta page.
  private func freePages(of meta: MetaPage) throws(DataFileError) -> [UInt64] {
    var pages: [UInt64] = []
    try forEachFreeList(of: meta) { list in
      // The value is a count and that many pages (C: `MDB_IDL`).
      guard list.count >= 8, list.count % 8 == 0 else { return true }
      let count = min(list.loadUnaligned(as: UInt64.self), UInt64(list.count / 8 - 1))
      for index in 0..<Int(count) {
        pages.append(list.loadUnaligned(fromByteOffset: 8 + index * 8, as: UInt64.self))
      }
      return true
    }
    return pages
  }
}
