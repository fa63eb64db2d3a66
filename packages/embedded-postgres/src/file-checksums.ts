import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  type ReadStream,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Writes the SHA-256 of every file below a folder, one line each, as `sha256sum --check` reads it from inside that folder.
 * Answers the SHA-256 of the list itself. Files are read in pieces, whatever their size.
 */
export async function writeChecksums(folder: string, listFile: string): Promise<string> {
  const lines: string[] = []
  for (const file of filesBelow(folder)) lines.push(`${await checksumOf(file)}  ${relative(folder, file)}\n`)
  writeFileSync(listFile, lines.join(''))
  return checksumOf(listFile)
}

type Listed = { folder: string; listFile: string; listChecksum: string }

/** What the first file is that is not as it was listed, and why; null when every file is. */
export async function findDamage({ folder, listFile, listChecksum }: Listed): Promise<string | null> {
  if (!existsSync(listFile)) return `${listFile} is missing`
  if ((await checksumOf(listFile)) !== listChecksum) return `${listFile} was changed`
  for (const line of readFileSync(listFile, 'utf8').trim().split('\n')) {
    const [checksum, name = ''] = line.split('  ')
    const file = join(folder, name)
    if (!existsSync(file)) return `${file} is missing`
    if ((await checksumOf(file)) !== checksum) return `${file} is not what was written (SHA-256)`
  }
  return null
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(place)
    else yield place
  }
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  const content: ReadStream = createReadStream(file, { highWaterMark: 1024 * 1024 })
  for await (const piece of content) hash.update(piece)
  return hash.digest('hex')
}
