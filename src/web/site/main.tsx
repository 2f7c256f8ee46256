import './site.css'
import { mount } from '#web/shared/mount.tsx'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { SiteApp } from './site-app.tsx'

mount(<SiteApp path={location.pathname} site={readSitePageData()} />)
