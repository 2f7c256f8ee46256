// Why: WARM_FORMATS in vite.config.ts.
new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', hour: 'numeric' }).format(0)
new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(0)
close()
