export const account = {
  title: 'My account',
  identity: 'Profile',
  email: 'Email',
  name: 'Name',
  role: 'Role',
  changePassword: 'Change password',
  factor: {
    title: 'Two-step verification',
    on: 'On',
    off: 'Not set up',
    offHint:
      'When on, signing in also requires a one-time code from your phone. Actions involving money, settings or personal data require it.',
    codesLeft: '{count, plural, one {# recovery code} other {# recovery codes}} left',
    disabledReason:
      'Until {time} (Beijing time), your new two-step verification works for sign-in but not for verifying protected actions. {owners, select, none {No other owner can confirm it earlier.} other {An owner can confirm it earlier: {owners}.}}',
    setUp: 'Set up two-step verification',
    replace: 'Change authenticator',
    renew: 'Get new recovery codes',
    giveUp: 'Turn off two-step verification',
    givenUp: 'Two-step verification turned off',
  },
} as const
