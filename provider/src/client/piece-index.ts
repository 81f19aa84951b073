/** Any two odd numbers: each makes a hash of its own of a piece. */
const [FIRST, SECOND] = [0x01_00_01_93, 0x2c_1b_3c_6d];
/** Beside 32 bits of the first hash a number has space for 21 of the second. */
const SECOND_SHIFT = 11;
const SECOND_RANGE = 2 ** 21;

/**
 * Pieces of texts, each kept as a hash of 53 bits: of a million strings a `Set` would take more than 100 MB, and two pieces with the same hash
 * are not to be expected.
 */
export class PieceIndex {
  /** By the length of the pieces. */
  readonly #hashes = new Map<number, Set<number>>();

  /** Adds all pieces of this length. */
  add(text: string, length: number): void {
    const hashes = this.#hashes.get(length) ?? new Set();
    this.#hashes.set(length, hashes);
    forEachPiece(text, length, (_at, hash) => hashes.add(hash));
  }

  /** Calls `found` for each piece of the text that was added. */
  find(text: string, found: (at: number, length: number) => void): void {
    for (const [length, hashes] of this.#hashes)
      forEachPiece(text, length, (at, hash) => {
        if (hashes.has(hash)) found(at, length);
      });
  }
}

/** The hashes of all pieces of a length: each is made from the one before, so the work does not depend on the length. */
function forEachPiece(text: string, length: number, act: (at: number, hash: number) => void): void {
  const [leavingFirst, leavingSecond] = [power(FIRST, length), power(SECOND, length)];
  let [first, second] = [0, 0];
  for (let end = 0; end < text.length; end++) {
    const entering = text.charCodeAt(end);
    const leaving = end < length ? 0 : text.charCodeAt(end - length);
    first = (Math.imul(first, FIRST) + entering - Math.imul(leaving, leavingFirst)) | 0;
    second = (Math.imul(second, SECOND) + entering - Math.imul(leaving, leavingSecond)) | 0;
    if (end >= length - 1) act(end - length + 1, (first >>> 0) * SECOND_RANGE + (second >>> SECOND_SHIFT));
  }
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count++) result = Math.imul(result, base);
  return result;
}
