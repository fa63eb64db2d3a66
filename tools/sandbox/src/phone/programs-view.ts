import type { DiagnosisConfig, Report } from '@meridian/contracts'
import { reportMeasure } from '@meridian/contracts/report-words'
import { named } from './names.ts'
import { byId, make, press } from './page.ts'
import { reportLanguage, text } from './texts.ts'
import type { Program } from './wearable.ts'

type Choose = (program: Program) => void

/** What the newest scan found: where, and how tense. */
export function findingOf(reports: readonly Pick<Report, 'kind' | 'summary'>[]) {
  const scan = reports.find(({ kind }) => kind === 'scan')
  const part = scan?.summary['body_part']
  return typeof part === 'string' ? { part, tension: scan?.summary['tension'] } : null
}

type Finding = ReturnType<typeof findingOf>

const partOf = ({ body_parts }: DiagnosisConfig, { body_part }: Program): string =>
  body_parts.find(({ code }) => code === body_part)?.name ?? ''

/** The programs for where the scan found something come first, as the mini-program recommends them. */
export function showPrograms(config: DiagnosisConfig | null, finding: Finding, choose: Choose): void {
  const programs = config?.programs ?? []
  const suits = (program: Program) =>
    config !== null && finding !== null && partOf(config, program) === finding.part
  const [recommended, others] = [programs.filter(suits), programs.filter((program) => !suits(program))]
  byId('finding-section').hidden = finding === null
  byId('finding-part').textContent = finding ? named(finding.part) : ''
  byId('finding-words').textContent = finding
    ? text('findingTension', { tension: reportMeasure('tension', finding.tension, reportLanguage()) })
    : ''
  fill('recommended', recommended, choose)
  fill('programs', others, choose)
  byId('programs-title').textContent = text(recommended.length > 0 ? 'otherPrograms' : 'allPrograms')
  byId('no-programs').hidden = config === null || programs.length > 0
}

function fill(id: 'recommended' | 'programs', programs: readonly Program[], choose: Choose): void {
  byId(`${id}-section`).hidden = programs.length === 0
  byId(id).replaceChildren(...programs.map((program) => lineOf(program, choose)))
}

function lineOf(program: Program, choose: Choose): HTMLElement {
  const { name, locked, duration_minutes: minutes, frequency_hz: frequency } = program
  const what = locked
    ? text('programLocked')
    : [text('minutes', { minutes: minutes ?? 0 }), text('hertz', { frequency: frequency ?? 0 })].join(' · ')
  const title = [
    make('b', '', named(name)),
    ...(program.premium ? [make('span', 'badge', text('premium'))] : []),
  ]
  const start = press(text(locked ? 'unlock' : 'choose'), named(name), () => choose(program))
  if (!locked) start.classList.add('strong')
  return make('li', 'order', [
    make('span', 'order-what', [make('span', 'plan-title', title), make('span', 'hint', what)]),
    start,
  ])
}
