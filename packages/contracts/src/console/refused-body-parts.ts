import { turnsText } from '../text.ts'
import type { ProgramBounds } from './program-bounds.ts'

/** A name as it is compared: what only changes its looks is gone. */
type Reading = {
  /** English words, and every run of neighbours written together: `c-h e st` says `chest` too. */
  words: readonly string[]
  runs: ReadonlySet<string>
  chinese: string
  /** The Chinese text without compounds that only share a character with a refused part. */
  telling: string
  /** Whether there are letters or signs that nobody here can vouch for. */
  unreadable: boolean
}

const longestRun = 12

/** Heads of muscles and ends of joints, the backs and undersides of a part, palms, soles and the core. */
const harmless =
  /[二三四两兩2-4][头頭](?=肌)|(?<=肌)(?:[长長短]|[内內外][侧側])[头頭]$|[肩膝指趾骨拳肘][头頭]$|[背后後里裡表]面(?=部)|[手掌脚腳足核重中]心(?![脏臟])/gu

function readingOf(text: string): Reading {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
  const words = plain.match(/[a-z]+/g) ?? []
  const runs = words.flatMap((_, from) =>
    words.slice(from, from + longestRun).map((_, more) => words.slice(from, from + more + 1).join('')),
  )
  const chinese = plain.replace(/[^\p{Script=Han}\p{Nd}]/gu, '')
  const bare = (said: string) => said.replace(/\p{Nd}/gu, '')
  return {
    words,
    runs: new Set(runs),
    chinese: bare(chinese),
    telling: bare(chinese.replace(harmless, '')),
    unreadable:
      turnsText.test(text) || /(?![a-z\p{Script=Han}])[\p{L}\p{Extended_Pictographic}]/u.test(plain),
  }
}

const sides =
  /^(?:left|right|upper|lower|front|back|both|mid|inner|outer)+|(?:left|right|upper|lower|front|back|side)+$/g
/** A shorter word is in too many others to be looked for within them: eye, head, rib. */
const shortestWithin = 5

const endings = ['', 's', 'es']

/** Whether a name says this word, which is English in one piece, or Chinese. */
function says({ words, runs, telling }: Reading, word: string): boolean {
  if (!/^[a-z]/.test(word)) return telling.includes(word)
  if (endings.some((ending) => runs.has(word + ending))) return true
  return words.some((one) =>
    word.length >= shortestWithin
      ? one.includes(word)
      : endings.some((ending) => one.replace(sides, '') === word + ending),
  )
}

const isFrontOfNeck = ({ words, telling }: Reading): boolean =>
  (/[颈頸脖]/u.test(telling) && /前|正面|腹侧|腹側/u.test(telling)) ||
  (/neck|cervi/.test(words.join(' ')) && /front|anterior|ventral/.test(words.join(' ')))

const partOf =
  (...words: readonly string[]) =>
  (name: Reading): boolean =>
    words.some((word) => says(name, word))

const isThroat = partOf(
  ...['throat', 'larynx', 'laryngeal', 'pharynx', 'pharyngeal', 'trachea', 'windpipe', 'gullet', 'carotid'],
  ...['thyroid', 'adamsapple', 'sternocleidomastoid'],
  ...['喉', '咽', '嗓', '气管', '氣管', '颈动脉', '頸動脈', '甲状腺', '甲狀腺'],
)

/** The four parts that no program is for (SPEC §20), each with what it is called and what belongs to it. */
const refusedParts: readonly ((name: Reading) => boolean)[] = [
  partOf(
    ...['chest', 'thorax', 'thoracic', 'breast', 'bosom', 'bust', 'nipple', 'pec', 'pectoral', 'sternum'],
    ...['sternal', 'heart', 'cardiac', 'precordial', 'precordium', 'rib', 'ribcage'],
    ...['胸', '乳', '肋', '膻中', '心脏', '心臟', '心前', '心口', '心窝', '心窩', '心区', '心區', '心尖'],
  ),
  (name) => isFrontOfNeck(name) || isThroat(name),
  partOf(
    ...[
      'head',
      'forehead',
      'skull',
      'scalp',
      'cranium',
      'cranial',
      'brain',
      'cerebral',
      'temple',
      'temporal',
    ],
    ...['face', 'facial', 'cheek', 'jaw', 'chin', 'nose', 'mouth', 'lip', 'tongue', 'ear', 'occiput'],
    ...['occipital', 'mastoid', 'trigeminal'],
    ...[
      '头',
      '頭',
      '脑',
      '腦',
      '颅',
      '顱',
      '额',
      '額',
      '太阳穴',
      '太陽穴',
      '颞',
      '顳',
      '鬓',
      '鬢',
      '枕',
      '百会',
    ],
    ...['脸', '臉', '面部', '颜面', '顏面', '面颊', '面頰', '颊', '頰', '腮', '颌', '頜', '颏', '頦', '下巴'],
    ...['耳', '鼻', '嘴', '唇', '舌', '牙', '口腔', '三叉', '印堂'],
  ),
  partOf(
    ...['eye', 'eyelid', 'eyeball', 'eyebrow', 'brow', 'ocular', 'orbit', 'orbital', 'retinal', 'cornea'],
    ...['眼', '睛', '眶', '眸', '瞳', '睑', '瞼', '眉', '双目', '雙目'],
  ),
]

/** Whether a name says a word of the bounds by itself: one that stands for none of the four parts. */
const saysListed = (name: Reading, { words, chinese }: Reading): boolean =>
  chinese === '' ? name.runs.has(words.join('')) : name.chinese.includes(chinese)

/**
 * Tells whether a body part is one that no program may be for. A word of the bounds stands for its part: whoever lists
 * one of them refuses all that the part is called, however it is written.
 */
export function bodyPartRefusal({
  refused_body_parts,
}: ProgramBounds): (part: { code: string; name: string }) => boolean {
  const listed = refused_body_parts.map(readingOf)
  const parts = refusedParts.filter((isPart) => listed.some(isPart))
  return ({ code, name }) =>
    [code, name].map(readingOf).some((said) => {
      const named = parts.some((isPart) => isPart(said)) || listed.some((word) => saysListed(said, word))
      return named || said.unreadable
    })
}
