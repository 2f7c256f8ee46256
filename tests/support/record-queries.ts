import type { CompiledQuery } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Wraps a database so that it records the statements written with `sql` that run through it. */
export function recordQueries(db: Db): { readonly db: Db; readonly queries: CompiledQuery[] } {
  const queries: CompiledQuery[] = []
  const executor = db.getExecutor()
  const recording = new Proxy(executor, {
    get: (target, name) => {
      if (name !== 'executeQuery') return memberOf(target, name)
      return (query: CompiledQuery, ...rest: []) => {
        queries.push(query)
        return target.executeQuery(query, ...rest)
      }
    },
  })
  const recorded = new Proxy(db, {
    get: (target, name) => (name === 'getExecutor' ? () => recording : memberOf(target, name)),
  })
  return { db: recorded, queries }
}

/** Binds methods to the target, because the proxy cannot access the target's private fields. */
function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name, target)
  return typeof member === 'function' ? member.bind(target) : member
}
