export const approvals = {
  title: 'Waiting for a second person ({count, number})',
  changesOf: '{name}: before and after',
  requestedBy: 'Requested by {who}',
  dueAt: 'No other owner can approve it; takes effect by itself',
  approve: 'Approve',
  approveHint: 'Takes effect at once; it is recorded that you approved it',
  approveTitle: 'Approve {name}',
  approveNamed: 'Approve {name}',
  reject: 'Reject',
  rejectHint: 'Nothing changes',
  rejectTitle: 'Reject {name}',
  rejectNamed: 'Reject {name}',
  withdraw: 'Take back',
  withdrawHint: 'Takes your own request back; nothing changes',
  withdrawTitle: 'Take back {name}',
  withdrawNamed: 'Take back {name}',
  decided: 'Decided',
  nowWaiting: 'Requested: it waits for a second person',
  forbidden: 'Your role ({role}) may not decide this; it takes: {allowed}',
  obstacles: {
    own_request: 'Another person has to approve what you asked for',
    account_too_new:
      'Your account was made, reset or given another role within 24 hours: you may not approve yet',
    factor_too_new: 'Your second factor is newer than the request: you may not approve it',
    made_by_requester:
      'Who asked made or reset your account or changed your role: another person has to approve it',
  },
} as const
