import { z } from 'zod'

const range = (least: number, most: number) =>
  z
    .strictObject({ min: z.number().min(least), max: z.number().max(most) })
    .refine(({ min, max }) => min <= max)
const words = z.array(z.string().trim().min(1).max(40)).max(40)

/** What a program may be, across its parameters: the setting program_bounds. */
export const ProgramBounds = z.strictObject({
  frequency_hz: range(1, 1000),
  pulse_width_us: range(10, 1000),
  duration_minutes: range(1, 120),
  /** Frequency × pulse width: 30,000 is a pulse during 3 % of the time. */
  frequency_times_pulse_width: z.number().min(1).max(1_000_000),
  monophasic: z.strictObject({ frequency_hz: z.number().max(1000), pulse_width_us: z.number().max(1000) }),
  /** How much of the most the usual intensity may be. */
  default_percent_of_max: z.number().min(1).max(100),
  /** Each program names every one of these, by one of its words. */
  contraindications: z.array(words.min(1)).max(20),
  /** Body parts that no program may be for: a word of chest, front of the neck, head or eyes stands for the whole part. */
  refused_body_parts: words,
})
export type ProgramBounds = z.infer<typeof ProgramBounds>

/** Placeholders of ours until the device's maker gives its own (SPEC §20). */
export const defaultProgramBounds: ProgramBounds = {
  frequency_hz: { min: 1, max: 150 },
  pulse_width_us: { min: 50, max: 400 },
  duration_minutes: { min: 1, max: 60 },
  frequency_times_pulse_width: 30_000,
  monophasic: { frequency_hz: 100, pulse_width_us: 250 },
  default_percent_of_max: 50,
  contraindications: [
    ['pacemaker', '起搏器'],
    ['pregnan', '孕', '妊娠'],
    ['epilep', '癫痫'],
  ],
  refused_body_parts: [
    'chest',
    'thorax',
    'throat',
    'front neck',
    'neck front',
    'front of the neck',
    'head',
    'forehead',
    'eye',
    'eyes',
    '胸',
    '颈前',
    '前颈',
    '喉',
    '头部',
    '头顶',
    '额头',
    '眼',
  ],
}

/** Whether a list of contraindications names every one that the bounds demand. */
export const namesContraindications = (
  listed: readonly string[],
  { contraindications }: ProgramBounds,
): boolean =>
  contraindications.every((some) =>
    some.some((word) => listed.some((one) => one.toLowerCase().includes(word.toLowerCase()))),
  )
