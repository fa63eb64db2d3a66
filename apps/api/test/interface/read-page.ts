import { readFileSync } from 'node:fs'

export const root = new URL('../../../../', import.meta.url)

/** What follows a heading: its prose without fenced blocks, the fenced blocks, and the heading's own level and text. */
export type Section = { level: number; heading: string; prose: string; blocks: Block[] }
type Block = { language: string; lines: string[] }
export type Page = { path: string; switchLine: string; sections: Section[] }

const fence = /^\s*```(\w*)$/

/** Where a comment begins in a block of this language; a block of none is a tree of folders: its words are comments. */
const comments: Readonly<Record<string, RegExp>> = {
  sh: /(^|\s)# .*/,
  ts: /(^|\s)\/\/ .*/,
  sql: /(^|\s)-- .*/,
}

/** A page of the repository by its path. Its third line, which leads to the other language, is no part of a section. */
export function readPage(path: string): Page {
  const [title = '', , switchLine = '', ...rest] = readFileSync(new URL(path, root), 'utf8').split('\n')
  const sections: Section[] = []
  let isCode = false
  for (const line of [title, ...rest]) {
    const [, language] = line.match(fence) ?? []
    const [, marks, heading = ''] = line.match(/^(#{1,6}) (.+)$/) ?? []
    const section = sections.at(-1)
    if (language !== undefined) {
      if (!isCode) section?.blocks.push({ language, lines: [] })
      isCode = !isCode
    } else if (isCode) section?.blocks.at(-1)?.lines.push(line)
    else if (marks !== undefined) sections.push({ level: marks.length, heading, prose: line, blocks: [] })
    else if (section !== undefined) section.prose += `\n${line}`
  }
  return { path, switchLine, sections }
}

/** The commands of a block, without comments; of a tree of folders its paths: the cells that are one word. */
export function codeOf({ language, lines }: Block): string[] {
  const comment = comments[language]
  if (language === '')
    return lines.flatMap((line) => line.split(/ {2,}/).filter((cell) => /^[\w./-]+$/.test(cell)))
  return lines.map((line) => (comment === undefined ? line : line.replace(comment, '')).trimEnd())
}

const spans = /`([^`]+)`/g

export const spansOf = ({ prose }: Section): string[] =>
  [...prose.matchAll(spans)].map(([, span = '']) => span.replaceAll(/\s+/g, ' ')).sort()

/** What a section says in words: each span of code stands as an `x`, targets of links are left out. */
export const wordsOf = ({ prose }: Section): string =>
  prose.replaceAll(spans, 'x').replaceAll(/\]\([^)]+\)|<[^>]+>/g, ' ')

/** The targets of links, images and bare addresses, as they are written. */
export const targetsOf = ({ prose }: Section): string[] =>
  [...prose.replaceAll(spans, ' ').matchAll(/\]\(([^)\s]+)\)|<(https?:[^>]+)>/g)].map(
    ([, target, address]) => target ?? address ?? '',
  )

/** The name under which a heading can be linked to, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
