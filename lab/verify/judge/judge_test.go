package main

import "testing"

const (
	user = "jane"
	code = "SAVE10"
)

func apply(date, outcome string, start, end int64) record {
	return record{Op: "apply", User: user, Code: code, Date: date, Outcome: outcome, Start: start, End: end}
}

func read(outcome string, start int64, items ...string) record {
	return record{Op: "read", User: user, Code: code, Outcome: outcome, Items: items, Start: start, End: start + 1}
}

func erase(start, end int64) record {
	return record{Op: "erase", User: user, Start: start, End: end}
}

var cases = []struct {
	name    string
	isLegal bool
	history []record
}{
	{"one date applies the code, another repeats it", true, []record{
		apply("1", "applied", 1, 2), apply("2", "repeated", 3, 4), read("running", 5, "applied 1", "repeated 2"),
	}},
	{"a retry of the date that applied it is applied", true, []record{
		apply("1", "applied", 1, 2), apply("1", "applied", 3, 4),
	}},
	{"a retry of the date that applied it is told repeated", false, []record{
		apply("1", "applied", 1, 2), apply("1", "repeated", 3, 4),
	}},
	{"a retry of the date that applied it is told used", false, []record{
		apply("1", "applied", 1, 2), apply("1", "used", 3, 4),
	}},
	{"used stores nothing", false, []record{
		apply("1", "applied", 1, 2), apply("2", "used", 3, 4), read("running", 5, "applied 1", "repeated 2"),
	}},
	{"two dates apply a code at the same time", false, []record{
		apply("1", "applied", 1, 5), apply("2", "applied", 2, 4),
	}},
	{"a code is repeated before it is applied", false, []record{
		apply("2", "repeated", 1, 2), apply("1", "applied", 3, 4),
	}},
	{"the table has two applications", false, []record{
		apply("1", "applied", 1, 2), apply("2", "repeated", 3, 4), read("running", 5, "applied 1", "applied 2"),
	}},
	{"a repetition is not stored", false, []record{
		apply("1", "applied", 1, 2), apply("2", "repeated", 3, 4), read("running", 5, "applied 1"),
	}},
	{"nobody sent what is stored", false, []record{
		apply("1", "applied", 1, 2), read("running", 3, "applied 1", "repeated 9"),
	}},
	{"a queued call waits", true, []record{
		apply("1", "queued", 1, 2), read("running", 3), read("drained", 9, "applied 1"),
	}},
	{"a later call overtakes a queued one", true, []record{
		apply("1", "queued", 1, 2), apply("2", "applied", 3, 4), read("drained", 9, "applied 2", "repeated 1"),
	}},
	{"a queued call is lost", false, []record{
		apply("1", "queued", 1, 2), read("drained", 9),
	}},
	{"a queued call is stored after the queue is empty", false, []record{
		apply("1", "queued", 1, 2), apply("2", "applied", 3, 4), read("drained", 9, "applied 2"),
		read("drained", 19, "applied 2", "repeated 1"),
	}},
	{"an unanswered call may be stored", true, []record{
		apply("1", "unanswered", 1, 2), apply("2", "repeated", 3, 4), read("drained", 9, "applied 1", "repeated 2"),
	}},
	{"an unanswered call may be lost", true, []record{
		apply("1", "unanswered", 1, 2), apply("2", "applied", 3, 4), read("drained", 9, "applied 2"),
	}},
	{"a retryable failure is stored", true, []record{
		apply("1", "retryable", 1, 2), read("drained", 9, "applied 1"),
	}},
	{"a refused call is stored", false, []record{
		apply("1", "refused", 1, 2), read("drained", 9, "applied 1"),
	}},
	{"a stored item disappears", false, []record{
		apply("1", "applied", 1, 2), read("drained", 9),
	}},
	{"an erasure empties the state, and the code can be applied again", true, []record{
		apply("1", "applied", 1, 2), erase(3, 5), read("drained", 6), apply("2", "applied", 8, 9),
	}},
	{"an erasure leaves what was stored before it", false, []record{
		apply("1", "applied", 1, 2), erase(3, 5), read("drained", 9, "applied 1"),
	}},
	{"an erasure drops what waits in the queue", true, []record{
		apply("1", "queued", 1, 2), erase(3, 5), read("drained", 9),
	}},
	{"what waited in the queue comes back after an erasure", false, []record{
		apply("1", "queued", 1, 2), erase(3, 5), read("drained", 9, "applied 1"),
	}},
	{"an unanswered call comes back after an erasure", false, []record{
		apply("1", "unanswered", 1, 2), erase(3, 5), read("drained", 9, "applied 1"),
	}},
	{"what was queued after an erasure is stored", false, []record{
		erase(1, 2), apply("1", "queued", 3, 4), read("drained", 9),
	}},
	{"a call during an erasure is kept", true, []record{
		apply("1", "applied", 1, 2), erase(3, 9), apply("2", "applied", 4, 5), read("drained", 10, "applied 2"),
	}},
	{"a call during an erasure is erased", true, []record{
		apply("1", "applied", 1, 2), erase(3, 9), apply("2", "applied", 4, 5), read("drained", 10),
	}},
	{"a call that is queued during an erasure is dropped", true, []record{
		erase(3, 9), apply("2", "queued", 4, 5), read("drained", 10),
	}},
	{"a call during an erasure repeats one that is erased, and remains alone", true, []record{
		erase(3, 9), apply("1", "applied", 4, 5), apply("2", "repeated", 6, 7), read("drained", 10, "repeated 2"),
	}},
	{"an erasure spares what was stored before it because a call overlaps it", false, []record{
		apply("1", "applied", 1, 2), erase(3, 9), apply("2", "repeated", 4, 5), read("drained", 10, "applied 1", "repeated 2"),
	}},
}

func TestJudge(t *testing.T) {
	for _, one := range cases {
		t.Run(one.name, func(t *testing.T) {
			result, err := judge(one.history, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if isLegal := len(result.Violated) == 0; isLegal != one.isLegal || len(result.Undecided) > 0 {
				t.Errorf("got %+v", result)
			}
		})
	}
}

func TestAnOpenCallNeedsARead(t *testing.T) {
	if _, err := judge([]record{apply("1", "queued", 1, 2)}, t.TempDir()); err == nil {
		t.Error("a history without a read after an empty queue was judged")
	}
}

func TestOtherCodesAndUsersAreApart(t *testing.T) {
	others := []record{apply("1", "applied", 1, 2), apply("2", "applied", 1, 2), apply("3", "applied", 1, 2)}
	others[1].Code = "OTHER"
	others[2].User = "joe"
	if result, err := judge(others, t.TempDir()); err != nil || result.Codes != 3 || len(result.Violated) > 0 {
		t.Errorf("got %+v, %v", result, err)
	}
}
