import type { Words } from './text.ts'

type Language = keyof Words

/** Members of summaries and measurements that our own clients send; whatever else a wearable sends is read by its name. */
const members: Readonly<Record<string, Words>> = {
  t_ms: { zh: '时间', en: 'Time' },
  t: { zh: '时间', en: 'Time' },
  time_ms: { zh: '时间', en: 'Time' },
  ms: { zh: '时间', en: 'Time' },
  second: { zh: '秒', en: 'Second' },
  index: { zh: '序号', en: 'No.' },
  value: { zh: '数值', en: 'Value' },
  channel: { zh: '通道', en: 'Channel' },
  microvolts: { zh: '肌电（µV）', en: 'Muscle signal (µV)' },
  posture: { zh: '体态', en: 'Posture' },
  symmetry: { zh: '左右对称度', en: 'Symmetry' },
  balance: { zh: '左右平衡', en: 'Balance' },
  source: { zh: '来源', en: 'Source' },
  body_part: { zh: '部位', en: 'Body part' },
  tension: { zh: '紧张度', en: 'Tension' },
  intensity: { zh: '强度', en: 'Intensity' },
  program: { zh: '程序', en: 'Program' },
  impedance: { zh: '皮肤阻抗', en: 'Skin impedance' },
  planned: { zh: '设定时长', en: 'Planned' },
  treated: { zh: '实际时长', en: 'Treated for' },
  ended: { zh: '结束方式', en: 'Outcome' },
  phase: { zh: '阶段', en: 'Phase' },
  angle: { zh: '角度', en: 'Angle' },
  temperature: { zh: '温度', en: 'Temperature' },
  duration: { zh: '时长', en: 'Duration' },
  frequency: { zh: '频率', en: 'Frequency' },
  pulse_width: { zh: '脉宽', en: 'Pulse width' },
  note: { zh: '备注', en: 'Note' },
}

/** What a name ends in when it says its unit, the longest first; times are told in seconds. */
const units: readonly (readonly [ending: string, Words])[] = [
  ['_microvolts', { zh: 'µV', en: 'µV' }],
  ['_percent', { zh: '%', en: '%' }],
  ['_minutes', { zh: '分钟', en: 'min' }],
  ['_seconds', { zh: '秒', en: 's' }],
  ['_degrees', { zh: '度', en: '°' }],
  ['_celsius', { zh: '℃', en: '°C' }],
  ['_ohm', { zh: 'Ω', en: 'Ω' }],
  ['_hz', { zh: '赫兹', en: 'Hz' }],
  ['_us', { zh: '微秒', en: 'µs' }],
  ['_mv', { zh: 'mV', en: 'mV' }],
  ['_uv', { zh: 'µV', en: 'µV' }],
  ['_ma', { zh: 'mA', en: 'mA' }],
  ['_ms', { zh: '秒', en: 's' }],
]

/** Words that our own clients send as values. */
const values: Readonly<Record<string, Words>> = {
  left: { zh: '左', en: 'left' },
  right: { zh: '右', en: 'right' },
  completed: { zh: '按时完成', en: 'as planned' },
  stopped: { zh: '提前结束', en: 'stopped early' },
  sandbox: { zh: '沙箱', en: 'sandbox' },
}

const inMilliseconds = (name: string) => name === 'ms' || name.endsWith('_ms')

const readable = (name: string): string => {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The unit of a member of a report, by how its name ends; empty where it says none. */
export function reportUnit(name: string, language: Language): string {
  const known = inMilliseconds(name) ? '_ms' : units.find(([ending]) => name.endsWith(ending))?.[0]
  return units.find(([ending]) => ending === known)?.[1][language] ?? ''
}

/** What a member of a report is called, without its unit. */
export function reportMember(name: string, language: Language): string {
  const stem = units.reduce(
    (rest, [ending]) => (rest.endsWith(ending) ? rest.slice(0, -ending.length) : rest),
    name,
  )
  return (members[name] ?? members[stem])?.[language] ?? readable(stem)
}

/** The same with its unit, as the head of a column: `时间（秒）`, `Time (s)`. */
export function reportColumn(name: string, language: Language): string {
  const [called, unit] = [reportMember(name, language), reportUnit(name, language)]
  if (unit === '') return called
  return language === 'zh' ? `${called}（${unit}）` : `${called} (${unit})`
}

const rounded = (number: number): string =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: Math.abs(number) < 1 ? 3 : 2 }).format(number)

/** A number of a report as people read numbers: times in seconds, nothing longer than it is exact. */
export const reportNumber = (name: string, number: number): string =>
  rounded(inMilliseconds(name) ? number / 1000 : number)

const sayFlag = (flag: boolean): Words => (flag ? { zh: '是', en: 'Yes' } : { zh: '否', en: 'No' })

/** A value of a report without its unit: words for words, lists and objects member by member, empty where there is none. */
export function reportValue(name: string, value: unknown, language: Language): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return reportNumber(name, value)
  if (typeof value === 'boolean') return sayFlag(value)[language]
  const separator = language === 'zh' ? '、' : ', '
  if (Array.isArray(value)) return value.map((one) => reportValue(name, one, language)).join(separator)
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${reportMember(key, language)} ${reportMeasure(key, one, language)}`)
      .join(separator)
  const text = String(value)
  return values[text]?.[language] ?? text
}

/** A value of a report with its unit: `15 分钟`, `420 Ω`. */
export function reportMeasure(name: string, value: unknown, language: Language): string {
  const [text, unit] = [reportValue(name, value, language), reportUnit(name, language)]
  if (text === '' || unit === '') return text
  return unit === '%' || unit === '°' ? `${text}${unit}` : `${text} ${unit}`
}
