import { z } from 'zod'

// zod would compile its checks with `new Function`, which the Content-Security-Policy forbids and reports. Imported
// before any schema is made.
z.config({ jitless: true })
