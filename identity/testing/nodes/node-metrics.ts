/** Reads the metrics of a node, by their names including labels. */
export async function readMetrics(port: number): Promise<(name: string) => number> {
  const text = await (await fetch(`http://localhost:${port}/metrics`)).text();
  const metrics = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))] as const;
      }),
  );
  return (name) => {
    const value = metrics.get(name);
    if (value === undefined) throw new Error(`The node has no metric ${name}`);
    return value;
  };
}
