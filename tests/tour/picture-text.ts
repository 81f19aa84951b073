/** The lines of text in a picture that `npm run picture` draws. */
export function textOf(picture: string): readonly string[] {
  return [...picture.matchAll(/<text [^>]*>(.*?)<\/text>/gu)].map(([, line = ""]) =>
    line
      .replaceAll(/<[^>]*>/gu, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&"),
  );
}
