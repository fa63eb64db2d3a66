import type { Colleague } from '@meridian/contracts'

/** The longest names first, so that of `@Anna` and `@Ann` the one that is written is meant. */
const longestFirst = (colleagues: readonly Colleague[]) =>
  colleagues.toSorted((one, other) => other.name.length - one.name.length)

/** The colleagues whose name stands in the text after an @. */
export function mentionsIn(text: string, colleagues: readonly Colleague[]): Colleague[] {
  let left = text
  return longestFirst(colleagues).filter(({ name }) => {
    const isThere = left.includes(`@${name}`)
    left = left.replaceAll(`@${name}`, ' ')
    return isThere
  })
}

/** A piece of a note: a mention, or the text between two. */
export type NotePiece = { text: string; isMention: boolean; at: number }

/** A note in pieces, so that the names it mentions can be shown as such. */
export function piecesOf(text: string, names: readonly string[]): NotePiece[] {
  const known = names.toSorted((one, other) => other.length - one.length).map((name) => `@${name}`)
  const pieces: NotePiece[] = []
  const add = (piece: string, at: number, isMention: boolean) => {
    if (piece) pieces.push({ text: piece, isMention, at })
  }
  let from = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const found = at >= from && known.find((name) => text.startsWith(name, at))
    if (!found) continue
    add(text.slice(from, at), from, false)
    add(found, at, true)
    from = at + found.length
  }
  add(text.slice(from), from, false)
  return pieces
}

/**
 * What is typed after an @ that no letter stands before, up to where the text is edited: namesakes go by their address of
 * mail, which has an @ behind a letter.
 */
const typedName = /(?<![\w.+-])@((?:[^\s@]|(?<=[\w.+-])@){0,60})$/

const MOST_OFFERED = 6

export type Offered = { names: readonly Colleague[]; from: number }

/** Whom the name that is being typed may mean, and where its @ stands; null while none is. */
export function offeredAt(before: string, colleagues: readonly Colleague[]): Offered | null {
  const typed = typedName.exec(before)
  if (!typed) return null
  const wanted = (typed[1] ?? '').toLowerCase()
  const names = colleagues.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, MOST_OFFERED)
  return names.length > 0 ? { names, from: typed.index } : null
}
