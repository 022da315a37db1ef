// Reading and writing the bulk of a checkpoint: blocks of bytes, with a checksum at the end.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace fairlead {

// Raised when a file cannot be written or read.
struct FileTrouble {
  int error;  // as errno
};

// Raised when a file is not what was written.
struct BadCheckpoint {};

// Writes to an open file from where it is. The checksum is that of the bytes, however they were cut into pieces.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(int file) : file_(file) { buffer_.reserve(kBuffer); }

  template <typename T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
    bytes(&value, sizeof(T));
  }
  template <typename T>
  void array(const T* first, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(first, count * sizeof(T));
  }
  // Writes the rest, and the checksum.
  void finish();

  static constexpr std::size_t kBuffer = std::size_t{1} << 20;

 private:
  void bytes(const void* data, std::size_t count);
  void flush();
  void write_out(const void* data, std::size_t count) const;

  int file_;
  std::vector<char> buffer_;
  std::uint64_t checksum_ = 0;
};

// Reads it again. Before anything is read, the checksum of the whole is compared.
class CheckpointReader {
 public:
  explicit CheckpointReader(int file);

  template <typename T>
  void value(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&value, sizeof(T));
  }
  template <typename T>
  void array(T* first, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(first, count * sizeof(T));
  }
  // There must be nothing left.
  void finish() const;
  // To be called before room is made for so many of `size` bytes each: the file must have them.
  void expect(std::uint64_t count, std::size_t size) const {
    if (count > (end_ - next_ + buffer_.size() - used_) / size) throw BadCheckpoint{};
  }

 private:
  void verify();
  void bytes(void* data, std::size_t count);
  // Reads so many bytes at a place of the file.
  void read_at(std::uint64_t offset, char* data, std::size_t count) const;

  int file_;
  std::uint64_t next_;  // in the file
  std::uint64_t end_;   // where the checksum begins
  std::vector<char> buffer_;
  std::size_t used_ = 0;  // of the buffer
};

}  // namespace fairlead
