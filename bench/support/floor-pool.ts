import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'

/** Opens as many connections as Meridian has, to the server at DATABASE_URL or to the embedded database in DATA_DIR. */
export async function openBaselinePool(): Promise<pg.Pool> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = process.env
  if (url) return new pg.Pool({ connectionString: url, max: 10 })
  const pglite = await PGlite.create({
    dataDir: `${dataDir}/pgdata`,
    extensions: { btree_gist, pg_trgm },
  })
  return new pg.Pool({ ...createPgConfig(pglite), max: 1, idleTimeoutMillis: 0 })
}
