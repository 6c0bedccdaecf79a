// Bytes in few letters, for addresses: deflated, then base64 with the letters that addresses allow.

async function through(bytes, transform, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error("it is longer than it may be");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Bytes as text. */
export async function pack(bytes) {
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes again, of which there are `most` at most; throws where the text is none of this. */
export async function unpack(text, most) {
  if (!/^[\w-]*$/.test(text)) throw new Error("it has letters that do not belong there");
  let letters;
  try {
    letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error("it is cut off");
  }
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  try {
    return await through(packed, new DecompressionStream("deflate-raw"), most);
  } catch (error) {
    throw new Error(error instanceof TypeError ? "it is damaged" : error.message);
  }
}
