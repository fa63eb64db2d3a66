/** What a view keeps of an address: its filters and order, in one spelling, and never the place in the list. */
export function viewQueryOf(search: URLSearchParams | string): string {
  const kept = [...new URLSearchParams(search)].filter(([key, value]) => key !== 'cursor' && value !== '')
  return new URLSearchParams(kept.sort(([one], [other]) => one.localeCompare(other))).toString()
}
