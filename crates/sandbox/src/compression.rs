//! The little of gzip that the sandbox needs: to wrap bytes, and to make a bomb. Written out, since a compressor in the
//! dependency list for two answers would cost more than these lines.

/// Gzip without compression.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    let mut blocks = bytes.chunks(0xffff).peekable();
    if blocks.peek().is_none() {
        packed.extend([1, 0, 0, 0xff, 0xff]);
    }
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        packed.push(u8::from(blocks.peek().is_none()));
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend_from_slice(block);
    }
    packed.extend(checksum(bytes).to_le_bytes());
    packed.extend(u32::try_from(bytes.len() & 0xffff_ffff).unwrap_or(0).to_le_bytes());
    packed
}

/// About `size` bytes of JSON text that travel as a hundred-and-sixtieth of it. The checksum at the end is wrong: whoever
/// unpacks so far has already taken in everything.
pub(crate) fn bomb(size: usize) -> Vec<u8> {
    let mut bits = Bits { bytes: vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff], pending: 0, count: 0 };
    // One final block with the fixed codes.
    bits.put(0b011, 3);
    for byte in br#"{"success":true,"data":" "# {
        bits.literal(*byte);
    }
    for _ in 0..size / 258 {
        // Length 258 is code 285; distance 1 is code 0: the last blank again, 258 times.
        bits.code(0b1100_0101, 8);
        bits.code(0, 5);
    }
    for byte in br#""}"# {
        bits.literal(*byte);
    }
    bits.code(0, 7);
    bits.put(0, 7);
    bits.bytes.extend([0; 8]);
    bits.bytes
}

struct Bits {
    bytes: Vec<u8>,
    pending: u32,
    count: u32,
}

impl Bits {
    /// Lowest bit first.
    fn put(&mut self, value: u32, width: u32) {
        self.pending |= value << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending.to_le_bytes()[0]);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Huffman codes go highest bit first.
    fn code(&mut self, value: u32, width: u32) {
        self.put(value.reverse_bits() >> (32 - width), width);
    }

    fn literal(&mut self, byte: u8) {
        // Valid below 144, which is all that JSON punctuation needs.
        self.code(0x30 + u32::from(byte), 8);
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    !bytes
        .iter()
        .fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())))
}
