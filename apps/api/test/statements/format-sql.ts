/** Every line by the depth of its brackets, and every part of the statement on a line of its own. */
export function formatSql(text: string): string {
  let depth = 0
  const lines = text
    .replaceAll(/^(WITH )?([a-z_]+) AS \((?=\S)/gm, '$1$2 AS (\n')
    .replaceAll(/(\S)\)(,?)\n(?=[a-z_]+ AS \(|SELECT )/g, '$1\n)$2\n')
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter(Boolean)
  const indented = lines.map((line) => {
    const outer = line.startsWith(')') ? depth - 1 : depth
    depth += line.split('(').length - line.split(')').length
    return `${'  '.repeat(Math.max(0, outer))}${line}`
  })
  return `${indented.join('\n')}\n`
}
