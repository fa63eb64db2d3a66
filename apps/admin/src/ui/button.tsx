'use client'

export { Button } from 'antd'
