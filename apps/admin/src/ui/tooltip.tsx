'use client'

export { Tooltip } from 'antd'
