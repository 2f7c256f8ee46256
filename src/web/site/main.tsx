import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#web/ui/theme.css'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { SiteApp } from './site-app.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <SiteApp path={location.pathname} site={readSitePageData()} />
  </StrictMode>,
)
