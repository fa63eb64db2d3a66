import type { TagChip } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { offeredTags } from '../src/features/tags/offered-tags.ts'

const tag = (label: string, isArchived = false): TagChip => ({ id: label, label, color: 'blue', isArchived })
const [vip, late, relate, old] = [tag('VIP'), tag('late'), tag('Relate'), tag('late once', true)]
const choices = [vip, relate, late, old]
const offer = (text: string, borne: readonly TagChip[] = []) => offeredTags({ choices, borne, text })

describe('while a tag is sought', () => {
  test('those in use are offered that have the text, the ones first that begin with it', () => {
    expect(offer('').tags).toEqual([vip, relate, late])
    expect(offer(' LATE ').tags).toEqual([late, relate])
    expect(offer('late', [late]).tags).toEqual([relate])
  })

  test('the text itself is offered as a new one where it can be one and none in use has it', () => {
    expect(offer('').newLabel).toBeNull()
    expect(offer(' la ').newLabel).toBe('la')
    expect(offer('vip').newLabel).toBeNull()
    expect(offer('late once').newLabel).toBe('late once')
    expect(offer('x'.repeat(25)).newLabel).toBeNull()
  })
})
