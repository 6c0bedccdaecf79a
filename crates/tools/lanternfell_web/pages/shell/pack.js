// Packs bytes into short text for addresses: deflate, then URL-safe base64.

async function through(bytes, transform, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error("the data is too long");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Converts bytes to text. */
export async function pack(bytes) {
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Converts text back to at most `most` bytes. Throws if the text is invalid. */
export async function unpack(text, most) {
  if (!/^[\w-]*$/.test(text)) throw new Error("the text has invalid characters");
  let letters;
  try {
    letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error("the text is truncated");
  }
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  try {
    return await through(packed, new DecompressionStream("deflate-raw"), most);
  } catch (error) {
    throw new Error(error instanceof TypeError ? "the data is damaged" : error.message);
  }
}
