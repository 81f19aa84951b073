/** Any two odd numbers: each makes a hash of its own of a piece. */
const [FIRST, SECOND] = [0x01_00_01_93, 0x2c_1b_3c_6d];
const MIN_SLOTS = 64;

/**
 * Pieces of texts, each kept as two hashes of 32 bits: of a million strings a `Set` would take some seconds and more than 100 MB, and two pieces
 * with the same hashes are not to be expected.
 */
export class PieceIndex {
  readonly #lengths = new Set<number>();
  /** Two numbers for each piece, in the first place that was free from its first hash on. The second number is never 0. */
  #slots = new Int32Array(2 * MIN_SLOTS);
  #count = 0;

  /** Adds all pieces of this length. */
  add(text: string, length: number): void {
    this.#lengths.add(length);
    forEachPiece(text, length, (_at, first, second) => this.#put(first, second));
  }

  /** Calls `found` for each piece of the text that was added. */
  find(text: string, found: (at: number, length: number) => void): void {
    for (const length of this.#lengths)
      forEachPiece(text, length, (at, first, second) => {
        if (this.#slots[this.#placeOf(first, second) + 1] !== 0) found(at, length);
      });
  }

  #put(first: number, second: number): void {
    const place = this.#placeOf(first, second);
    if (this.#slots[place + 1] !== 0) return;
    this.#slots[place] = first;
    this.#slots[place + 1] = second;
    this.#count += 1;
    if (4 * this.#count > this.#slots.length) this.#grow();
  }

  #grow(): void {
    const all = this.#slots;
    this.#slots = new Int32Array(2 * all.length);
    this.#count = 0;
    for (let place = 0; place < all.length; place += 2) {
      const second = all[place + 1] ?? 0;
      if (second !== 0) this.#put(all[place] ?? 0, second);
    }
  }

  /** Where a piece is, or where it is to be put. */
  #placeOf(first: number, second: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    let place = (2 * (first ^ (first >>> 15))) & last;
    while (slots[place + 1] !== 0 && (slots[place] !== first || slots[place + 1] !== second))
      place = (place + 2) & last;
    return place;
  }
}

/** The hashes of all pieces of a length: each is made from the one before, so the work does not depend on the length. */
function forEachPiece(text: string, length: number, act: (at: number, first: number, second: number) => void): void {
  const [leavingFirst, leavingSecond] = [power(FIRST, length), power(SECOND, length)];
  let [first, second] = [0, 0];
  for (let end = 0; end < text.length; end++) {
    const entering = text.charCodeAt(end);
    const leaving = end < length ? 0 : text.charCodeAt(end - length);
    first = (Math.imul(first, FIRST) + entering - Math.imul(leaving, leavingFirst)) | 0;
    second = (Math.imul(second, SECOND) + entering - Math.imul(leaving, leavingSecond)) | 0;
    if (end >= length - 1) act(end - length + 1, first, second | 1);
  }
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count++) result = Math.imul(result, base);
  return result;
}
