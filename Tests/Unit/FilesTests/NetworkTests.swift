// Threat: a filesystem that several machines can write is taken for a local one.
import Testing

@testable import Files

@Suite struct `A filesystem` {
  @Test(arguments: [(0x6969, "nfs"), (0xFF53_4D42, "cifs"), (0xFE53_4D42, "smb2"), (0x0102_1997, "9p")])
  func `a network filesystem is recognized by its magic number`(magic: UInt32, name: String) {
    #expect(FileSystem.networkKind(ofMagic: magic) == name)
  }

  /// ext4, btrfs, xfs, tmpfs, overlayfs, zfs.
  @Test(arguments: [0xEF53, 0x9123_683E, 0x5846_5342, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1] as [UInt32])
  func `a local filesystem is not a network filesystem`(magic: UInt32) {
    #expect(FileSystem.networkKind(ofMagic: magic) == nil)
  }

  @Test(arguments: [(0xEF53, false), (0x5846_5342, false), (0x0102_1994, false), (0x9123_683E, true)])
  func `a filesystem that overwrites files in place is known`(magic: UInt32, isCopyOnWrite: Bool) {
    #expect(FileSystem.isCopyOnWrite(magic: magic) == isCopyOnWrite)
  }
}
