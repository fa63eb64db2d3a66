export const account = {
  title: 'My account',
  identity: 'Who you are',
  email: 'E-mail',
  name: 'Name',
  role: 'Role',
  changePassword: 'Change password',
  factor: {
    title: 'Two-step verification',
    on: 'Switched on',
    off: 'Not set up',
    offHint:
      'Signing in then takes a one-time code of your phone beside the password. What touches money, settings or identities asks for it.',
    codesLeft: '{count, plural, one {# recovery code} other {# recovery codes}} left',
    notYet:
      'Until {time} (Beijing time) the new authenticator signs you in but does not prove your identity for guarded acts. {owners, select, none {There is no other owner who could confirm it before.} other {An owner can confirm it before: {owners}.}}',
    setUp: 'Set up two-step verification',
    replace: 'Use another authenticator',
    renew: 'Renew recovery codes',
    giveUp: 'Switch it off',
    givenUp: 'Two-step verification is off',
  },
} as const
