/** What a pipe brings, without the line break at its end. A longer text than `longest` is cut: an endless pipe must not fill the memory. */
export async function readPiped(input: AsyncIterable<unknown>, longest: number): Promise<string> {
  let said = '';
  for await (const chunk of input) {
    said += String(chunk);
    if (said.length > longest) break;
  }
  return said.replace(/\r?\n$/, '');
}
