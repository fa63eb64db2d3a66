/** What is counted while it happens. */
export const newFigures = () => ({
  shoppers: 0,
  orders: 0,
  'orders of virtual payment': 0,
  'orders paid': 0,
  'of those, by virtual payment': 0,
  'orders paid twice': 0,
  'orders cancelled': 0,
  'orders left unpaid': 0,
  'sheets opened and left': 0,
  'sheets refused': 0,
  'calls repeated by phones': 0,
  'notifications departed': 0,
  'notifications lost for good': 0,
  'deliveries dropped': 0,
  'deliveries corrupted': 0,
  'corrupted ones accepted': 0,
  'deliveries duplicated': 0,
  'deliveries overtaken': 0,
  'deliveries that met nobody': 0,
  'deliveries accepted': 0,
  'deliveries refused': 0,
  'programs killed': 0,
  'database killed': 0,
  'database stopped': 0,
  'platform failures': 0,
})
export type Figures = ReturnType<typeof newFigures>

export function print(figures: Readonly<Record<string, number | string>>): void {
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(32)} ${value}`)
}
