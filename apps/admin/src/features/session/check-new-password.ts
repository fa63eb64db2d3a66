import { NewPassword } from '@meridian/contracts'

export type PasswordFault = 'tooShort' | 'tooLong' | 'same'

/** What is wrong with a new password, before the API is asked; null when nothing is. */
export function checkNewPassword(next: string, current: string): PasswordFault | null {
  const issue = NewPassword.safeParse(next).error?.issues[0]
  if (issue) return issue.code === 'too_big' ? 'tooLong' : 'tooShort'
  return next === current ? 'same' : null
}
