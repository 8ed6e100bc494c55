/**
 * The form of the id of an app client.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserPoolClientType.html
 */
export const APP_CLIENT_ID = /^[\w+]{1,128}$/;
