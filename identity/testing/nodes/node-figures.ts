/** What a node says at its METRICS_PORT, by a figure's name and its labels as they stand there. */
export async function readFigures(port: number): Promise<(name: string) => number> {
  const text = await (await fetch(`http://localhost:${port}/metrics`)).text();
  const figures = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))] as const;
      }),
  );
  return (name) => {
    const value = figures.get(name);
    if (value === undefined) throw new Error(`The node has no figure ${name}`);
    return value;
  };
}
