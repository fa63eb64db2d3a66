import type { Pool } from '@meridian/db'

/** Connections of which the so-manieth that is asked for is never had. */
export function cutAfter(pool: Pool, connections: number): Pool {
  let had = 0
  return new Proxy(pool, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name !== 'connect') return member.bind(target)
      return (...args: unknown[]) => {
        had += 1
        if (had > connections) throw new Error('cut off')
        return member.apply(target, args)
      }
    },
  })
}
