import { z } from 'zod'

// Stops zod from compiling schemas with `new Function`, which the Content-Security-Policy forbids and reports. Import this module
// before any schema is created.
z.config({ jitless: true })
