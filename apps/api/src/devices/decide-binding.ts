/** What is known about a device and who claims it, under the locks of both. */
export type BindingFacts = {
  device: { disabled: boolean; inventory: boolean; hasSecret: boolean } | null
  /** Who has it now, if anybody. */
  owner: { isClaimer: boolean; proven: boolean } | null
  registration: 'open' | 'inventory_only'
  /** How many devices the claimer has, and may have. */
  bound: number
  most: number
  proof: 'none' | 'unread' | 'right' | 'wrong'
}

export type BindingRefusal =
  | 'device_not_registered'
  | 'device_already_bound'
  | 'device_limit_reached'
  | 'proof_required'
  | 'proof_invalid'

export type BindingDecision =
  | { act: 'refuse'; code: BindingRefusal }
  /** The proof matters: read it and decide again. Reading uses up the claimer's challenge. */
  | { act: 'read_proof' }
  | { act: 'keep'; proven: boolean }
  | { act: 'bind'; proven: boolean; supersede: boolean }

const refuse = (code: BindingRefusal): BindingDecision => ({ act: 'refuse', code })

/** A claimer who has the device already: a proof is read only where it would add something. */
function decideRepeat(proof: BindingFacts['proof'], provable: boolean): BindingDecision {
  if (!provable || proof === 'none') return { act: 'keep', proven: false }
  if (proof === 'unread') return { act: 'read_proof' }
  return proof === 'right' ? { act: 'keep', proven: true } : refuse('proof_invalid')
}

/** Whether somebody may bind a device, and what becomes of the binding it has. */
export function decideBinding(facts: BindingFacts): BindingDecision {
  const { device, owner, registration, proof } = facts
  if (!device || device.disabled) return refuse('device_not_registered')
  if (owner?.isClaimer) return decideRepeat(proof, device.hasSecret && !owner.proven)
  if (registration === 'inventory_only' && !device.inventory) return refuse('device_not_registered')
  if (owner && (owner.proven || !device.hasSecret)) return refuse('device_already_bound')
  if (facts.bound >= facts.most) return refuse('device_limit_reached')
  const bind = { act: 'bind', supersede: owner !== null } as const
  if (!device.hasSecret) return { ...bind, proven: false }
  if (proof === 'none') return refuse('proof_required')
  if (proof === 'unread') return { act: 'read_proof' }
  return proof === 'right' ? { ...bind, proven: true } : refuse('proof_invalid')
}
