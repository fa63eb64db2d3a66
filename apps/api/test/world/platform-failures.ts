/** What a platform may do instead of answering as it should, whatever it is asked; each is a fault of the simulated one. */
export const platformFailures = [
  ['is at fault', { kind: 'error_before', status: 500 }],
  ['limits us', { kind: 'rate_limited' }],
  ['answers a page', { kind: 'html' }],
  ['hangs up', { kind: 'drop' }],
  ['does not sign its answer', { kind: 'unsigned' }],
  ['signs with a key that is not its own', { kind: 'wrong_key' }],
  ['answers bytes that were changed', { kind: 'corrupt_byte' }],
] as const
