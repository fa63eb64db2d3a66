import { proofMinutes } from '@meridian/contracts'
import { redirect } from 'next/navigation'
import { consoleContext } from '../../../api-client/first-read.ts'
import { CompanyAgain } from '../../../features/session/company-again.tsx'
import { titled } from '../../../kit/page/console-page.tsx'
import { paths } from '../../../paths.ts'
import { readReturnedFailure } from '../../../session/sign-in.ts'
import { readTicket } from '../../../session/sign-in-ticket.ts'

export const generateMetadata = titled((t) => t('session.again.title'))

/** The provider asks anew, whatever it remembers, and says when that was (OpenID Connect Core §3.1.2.1). */
const anew = { prompt: 'login', max_age: `${proofMinutes * 60}` }

export default async function StepUpPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, unknown>>
}) {
  const { done, error } = await searchParams
  const context = await consoleContext()
  const returned = readReturnedFailure(error)
  // Who is bound to no company account has nothing to show there, but may have come back from it in vain.
  if (!context || (!context.company && !returned)) redirect(paths.home())
  return (
    <CompanyAgain
      name={context.company?.name ?? null}
      done={done === 'yes'}
      waitsForCode={(await readTicket()) !== null && returned === null}
      {...{ returned, anew }}
    />
  )
}
