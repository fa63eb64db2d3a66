import type { OpenDatabase, Pool } from '@meridian/db'
import type { Actor, RequestMeta } from '../../audit/write-audit.ts'
import { namesFor } from '../../operators/reveal-names.ts'
import type { SignedInOperator } from '../../operators/sign-in.ts'
import type { NameView } from '../../platform/sql/show-nickname.ts'
import type { Services } from '../../services.ts'
import type { Language } from '../problem.ts'

/** What a procedure knows of its caller. */
export type ConsoleContext = {
  services: Services
  from: RequestMeta
  language: Language
  /** Who is signed in: looked up once per request, by the first procedure that needs to know. */
  findSession: () => Promise<SignedInOperator | null>
}

/** A call of a signed-in operator. */
export type Call<Input> = { ctx: ConsoleContext & { session: SignedInOperator; actor: Actor }; input: Input }

type Resolver<Input, Answer> = (call: Call<Input>) => Promise<Answer>

/** A story that takes the pool, what is asked and who asks it. */
export const onPool =
  <Input, Answer>(
    story: (pool: Pool, input: Input, actor: Actor) => Promise<Answer>,
  ): Resolver<Input, Answer> =>
  ({ ctx, input }) =>
    story(ctx.services.database.pool, input, ctx.actor)

/** A story that takes the pool, what is asked and how the session sees the names of users. */
export const onPoolNaming =
  <Input, Answer>(
    story: (pool: Pool, input: Input, names: NameView) => Promise<Answer>,
  ): Resolver<Input, Answer> =>
  ({ ctx, input }) =>
    story(ctx.services.database.pool, input, namesFor(ctx.session))

/** A story that takes Prisma, what is asked and who asks it. */
export const onPrisma =
  <Input, Answer>(
    story: (prisma: OpenDatabase['prisma'], input: Input, actor: Actor) => Promise<Answer>,
  ): Resolver<Input, Answer> =>
  ({ ctx, input }) =>
    story(ctx.services.database.prisma, input, ctx.actor)

/** An act that answers what its operator sees afterwards. */
export const showingAfter =
  <Subject, Shown>(show: Resolver<Subject, Shown>) =>
  <Input extends Subject>(act: Resolver<Input, unknown>): Resolver<Input, Shown> =>
  async (call) => {
    await act(call)
    return show(call)
  }
