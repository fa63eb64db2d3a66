import type { Words } from '../text.ts'
import { boundsOfNumber, type DiagnosisDraftContent, type DraftProgram, programNumbers } from './diagnosis.ts'
import type { DiagnosisFault } from './diagnosis-draft.ts'
import type { ProgramBounds } from './program-bounds.ts'

/** What the members of a program and of a body part are called. */
export const diagnosisFieldNames: Record<keyof Words, Record<keyof DraftProgram, string>> = {
  zh: {
    code: '代码',
    name: '名称',
    body_part: '部位',
    waveform: '波形',
    frequency_hz: '频率（赫兹）',
    pulse_width_us: '脉宽（微秒）',
    intensity_min: '最小强度',
    intensity_max: '最大强度',
    intensity_default: '默认强度',
    duration_minutes: '时长（分钟）',
    contraindications: '禁忌',
    premium: '高级程序',
  },
  en: {
    code: 'Code',
    name: 'Name',
    body_part: 'Body part',
    waveform: 'Waveform',
    frequency_hz: 'Frequency (Hz)',
    pulse_width_us: 'Pulse width (µs)',
    intensity_min: 'Least intensity',
    intensity_max: 'Most intensity',
    intensity_default: 'Usual intensity',
    duration_minutes: 'Duration (minutes)',
    contraindications: 'Contraindications',
    premium: 'Premium',
  },
}

type Code = DiagnosisFault['code']

const plainReasons: Record<Exclude<Code, 'out_of_bounds'>, (bounds: ProgramBounds) => Words> = {
  required: () => ({ zh: '请填写', en: 'This is needed' }),
  not_a_code: () => ({
    zh: '请用小写字母、数字、- 或 _，并以字母或数字开头',
    en: 'Use lower-case letters, digits, - or _, starting with a letter or digit',
  }),
  taken: () => ({ zh: '代码重复', en: 'The code is there twice' }),
  unknown_body_part: () => ({ zh: '请选择列出的部位', en: 'Choose one of the body parts listed' }),
  unknown_waveform: () => ({ zh: '请选择波形', en: 'Choose a waveform' }),
  min_above_max: () => ({ zh: '最小强度大于最大强度', en: 'The least intensity is above the most' }),
  default_outside: () => ({
    zh: '默认强度不在最小与最大之间',
    en: 'The usual intensity lies outside the two',
  }),
  default_above_share: ({ default_percent_of_max: share }) => ({
    zh: `默认强度不能超过最大强度的 ${share}%`,
    en: `The usual intensity is at most ${share} % of the most`,
  }),
  too_long_a_pulse: ({ frequency_times_pulse_width: most }) => ({
    zh: `频率 × 脉宽不能超过 ${most}（占空 ${most / 10_000}%）`,
    en: `Frequency × pulse width is at most ${most} (${most / 10_000} % of the time)`,
  }),
  monophasic_bounds: ({ monophasic: { frequency_hz, pulse_width_us } }) => ({
    zh: `超过单相波的上限（${frequency_hz} Hz、${pulse_width_us} µs）`,
    en: `Above the limits of monophasic waves (${frequency_hz} Hz, ${pulse_width_us} µs)`,
  }),
  contraindications_missing: ({ contraindications }) => {
    const named = contraindications.map((words) => words.join(' / ')).join(', ')
    return { zh: `禁忌至少包含：${named}`, en: `Name at least: ${named}` }
  },
  body_part_refused: () => ({
    zh: '胸部、颈前、头部和眼睛不允许，名称只用中文和英文',
    en: 'Chest, front of the neck, head and eyes are not allowed, nor names in other scripts than Chinese and Latin',
  }),
}

/** What is wrong at a place of a configuration, with the bounds in force. */
export function diagnosisFaultWords({ path, code }: DiagnosisFault, bounds: ProgramBounds): Words {
  if (code !== 'out_of_bounds') return plainReasons[code](bounds)
  const number = programNumbers.find((key) => path.endsWith(`.${key}`))
  if (!number) return { zh: '超出允许的范围', en: 'Runtime what is allowed' }
  const { min, max } = boundsOfNumber(number, bounds)
  return { zh: `必须在 ${min} 到 ${max} 之间`, en: `Must lie between ${min} and ${max}` }
}

const isField = (field: string): field is keyof DraftProgram => field in diagnosisFieldNames.zh

/** A fault with the name of its program or body part, and of its field. */
export function tellDiagnosisFault(
  fault: DiagnosisFault,
  { programs, body_parts }: DiagnosisDraftContent,
  bounds: ProgramBounds,
): Words {
  const [list, place = '0', field = ''] = fault.path.split('.')
  const isProgram = list === 'programs'
  const item = (isProgram ? programs : body_parts)[Number(place)]
  const name = item?.name.trim() || item?.code || String(Number(place) + 1)
  const called = (language: keyof Words) => (isField(field) ? diagnosisFieldNames[language][field] : field)
  const why = diagnosisFaultWords(fault, bounds)
  return {
    zh: `${isProgram ? '程序' : '部位'}“${name}” · ${called('zh')}：${why.zh}`,
    en: `${isProgram ? 'Program' : 'Body part'} “${name}” · ${called('en')}: ${why.en}`,
  }
}
