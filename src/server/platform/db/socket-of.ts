import type { Socket } from 'node:net'
import type pg from 'pg'

/** The connection's socket, which is not in the library's types. */
export function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
