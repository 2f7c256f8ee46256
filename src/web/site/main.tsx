import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './site.css'
import { SiteApp } from './site-app.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <SiteApp path={location.pathname} />
  </StrictMode>,
)
