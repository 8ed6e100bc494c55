/** The stage file of the deployment. */
export const SETTINGS = {
  retainData: false,
  gradualDeployment: true,
  webAcl: true,
  requireUserPoolClientIds: true,
  corsOrigins: ['https://shop.example.com', 'capacitor://localhost'],
  alarmRecipients: ['ops@example.com'],
  accessLogs: true,
  gatewayLogRole: 'new',
};
