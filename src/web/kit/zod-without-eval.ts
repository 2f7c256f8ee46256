import { z } from 'zod'

// zod would compile schemas with `new Function`, which the Content-Security-Policy forbids and reports. Import this before
// any schema is created.
z.config({ jitless: true })
