import { byId, make } from './page.ts'
import type { SeenCall } from './wx.ts'

const kept = 8

/** The newest call first. */
export function showCall({ method, path, status, ms }: SeenCall): void {
  const good = status >= 200 && status < 400
  const line = make('li', good ? 'call' : 'call bad', [
    make('b', '', method),
    make('code', '', path.split('?')[0] ?? path),
    make('span', 'status', `${status === 0 ? '—' : status}`),
    make('span', 'ms', `${ms} ms`),
  ])
  const list = byId('calls')
  list.prepend(line)
  while (list.children.length > kept) list.lastElementChild?.remove()
  byId('no-calls').hidden = true
}
