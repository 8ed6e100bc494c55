package promocodes

import okhttp3.Call

/** The next step after an attempt. */
internal enum class Step {
    /** Remove the entry, and report its result. */
    FINISH,

    /** Keep it for a while, because a setting or the customer's token may be wrong. */
    REFUSED,

    /** Keep it. */
    RETRY,

    /** Keep it and those after it, because they would fail too. */
    STOP,
}

/**
 * Sends a request. Refreshes an expired token and corrects a refused date at once; all other failures are left to a later
 * attempt.
 *
 * @param mayResend called with the date before the request is sent again. Stores it, because the app can end at any time, and
 *   returns false if the entry was removed meanwhile, or the storage fails.
 */
internal fun attempt(
    session: Session,
    entry: Entry,
    isStopped: () -> Boolean,
    onCall: (Call) -> Unit,
    mayResend: (String) -> Boolean,
): Answer {
    var date = entry.requestDate
    var lead: Session.Lead? = null
    var mayRefresh = true
    var mayCorrectDate = true
    while (true) {
        val answer = sendOnce(session, entry.request, date, onCall)
        val result = answer.result
        if (result is Success) lead?.isRight = true
        if (result.isDateRefused) session.learn(lead, answer.serverTime)
        if (isStopped()) return answer
        if (result is TokenExpired && mayRefresh) {
            mayRefresh = false
            if (!session.refresh(answer.idToken)) return answer
        } else if (result.isDateRefused && mayCorrectDate) {
            mayCorrectDate = false
            lead = session.lead
            date = session.now().toString()
        } else {
            return answer
        }
        if (!mayResend(date)) return answer
    }
}

internal fun nextStep(answer: Answer): Step {
    val result = answer.result
    if (result is Success) return Step.FINISH
    if (result !is ServiceError || answer.retryAfterMs > 0) return Step.STOP
    // A defect may concern one code; another retryable error is that of the whole service.
    if (result.isRetryable) return if (result.code == "InternalServerError") Step.RETRY else Step.STOP
    // Only the code itself can be refused for ever. A gateway refuses headers and paths without a pointer into the body.
    val isBodyWrong = result.code == "PayloadTooLargeException" ||
        result.code == "ValidationException" && result.problems.any { !it.pointer.isNullOrEmpty() }
    return if (isBodyWrong) Step.FINISH else Step.REFUSED
}
