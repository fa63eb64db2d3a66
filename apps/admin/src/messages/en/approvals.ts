export const approvals = {
  title: 'Awaiting approval ({count, number})',
  changesOf: '{name}: before and after',
  requestedBy: 'Requested by {who}',
  dueAt: 'No other owner can approve this. Takes effect automatically',
  approve: 'Approve',
  approveHint: 'Takes effect immediately. Recorded as approved by you.',
  approveTitle: 'Approve {name}',
  approveNamed: 'Approve {name}',
  reject: 'Reject',
  rejectHint: 'Nothing will change',
  rejectTitle: 'Reject {name}',
  rejectNamed: 'Reject {name}',
  withdraw: 'Withdraw',
  withdrawHint: 'Cancels your request. Nothing will change.',
  withdrawTitle: 'Withdraw {name}',
  withdrawNamed: 'Withdraw {name}',
  decided: 'Request updated',
  nowWaiting: 'Submitted for approval',
  forbidden: 'Your role ({role}) can’t decide this request. Allowed roles: {allowed}',
  obstacles: {
    own_request: 'You can’t approve your own request',
    account_too_new:
      'Your account was created, reset or given a new role in the last 24 hours, so you can’t approve yet',
    factor_too_new: 'Your two-step verification was set up after this request, so you can’t approve it',
    made_by_requester:
      'The requester created or reset your account or changed your role, so someone else must approve',
  },
} as const
