package main

import (
	"strings"
	"testing"
)

const (
	user = "jane"
	code = "SAVE10"
)

// apply is a call. Its content matters only to the histories that name one.
func apply(date, outcome string, start, end int64) record {
	return record{Op: "apply", User: user, Code: code, Date: date, Content: "any", Outcome: outcome, Start: start, End: end}
}

func (r record) sending(content string) record {
	r.Content = content
	return r
}

// read is a read of items, such as "applied 1" or "applied 1 <content> <added>".
func read(outcome string, start int64, items ...string) record {
	for i, item := range items {
		if strings.Count(item, " ") == 1 {
			items[i] = item + " any noon"
		}
	}
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
	{"an item has the content of its call", true, []record{
		apply("1", "applied", 1, 2).sending("a"), apply("2", "repeated", 3, 4).sending("b"),
		read("running", 5, "applied 1 a noon", "repeated 2 b noon"),
	}},
	{"an item has a content that nobody sent", false, []record{
		apply("1", "applied", 1, 2).sending("a"), read("running", 3, "applied 1 b noon"),
	}},
	{"an application has the content of another date", false, []record{
		apply("1", "applied", 1, 2).sending("a"), apply("2", "repeated", 3, 4).sending("b"),
		read("running", 5, "applied 1 b noon", "repeated 2 b noon"),
	}},
	{"a repetition has the content of another date", false, []record{
		apply("1", "applied", 1, 2).sending("a"), apply("2", "repeated", 3, 4).sending("b"),
		read("running", 5, "applied 1 a noon", "repeated 2 a noon"),
	}},
	{"a retry changes nothing", true, []record{
		apply("1", "applied", 1, 2).sending("a"), apply("1", "applied", 3, 4).sending("b"),
		apply("2", "repeated", 5, 6).sending("c"), apply("2", "repeated", 7, 8).sending("d"),
		read("running", 9, "applied 1 a noon", "repeated 2 c noon"),
	}},
	{"a retry changes an application", false, []record{
		apply("1", "applied", 1, 2).sending("a"), apply("1", "applied", 3, 4).sending("b"),
		read("running", 5, "applied 1 b noon"),
	}},
	{"a retry changes a repetition", false, []record{
		apply("1", "applied", 1, 2), apply("2", "repeated", 3, 4).sending("c"), apply("2", "repeated", 5, 6).sending("d"),
		read("running", 7, "applied 1", "repeated 2 d noon"),
	}},
	{"a retry changes an item after a read", false, []record{
		apply("1", "applied", 1, 5).sending("a"), apply("1", "applied", 1, 9).sending("b"),
		read("running", 3, "applied 1 a noon"), read("running", 10, "applied 1 b noon"),
	}},
	{"one of two calls at the same moment is stored", true, []record{
		apply("1", "applied", 1, 5).sending("a"), apply("1", "applied", 2, 4).sending("b"),
		read("running", 6, "applied 1 b noon"),
	}},
	{"an item mixes two calls at the same moment", false, []record{
		apply("1", "applied", 1, 5).sending("a"), apply("1", "applied", 2, 4).sending("b"),
		read("running", 6, "applied 1 ab noon"),
	}},
	{"a later call overtakes a queued one of its date", true, []record{
		apply("1", "queued", 1, 2).sending("a"), apply("1", "applied", 3, 4).sending("b"),
		read("drained", 9, "applied 1 b noon"),
	}},
	{"a queued call is stored before a later one of its date", true, []record{
		apply("1", "queued", 1, 2).sending("a"), apply("1", "applied", 3, 4).sending("b"),
		read("drained", 9, "applied 1 a noon"),
	}},
	{"a queued call changes what is stored", false, []record{
		apply("1", "applied", 1, 2).sending("a"), apply("1", "queued", 3, 4).sending("b"),
		read("drained", 9, "applied 1 b noon"),
	}},
	{"an unanswered call may be the one that is stored", true, []record{
		apply("1", "unanswered", 1, 2).sending("a"), apply("1", "applied", 3, 4).sending("b"),
		read("drained", 9, "applied 1 a noon"),
	}},
	{"used changes what is stored", false, []record{
		apply("1", "applied", 1, 2).sending("a"), apply("2", "used", 3, 4).sending("b"),
		read("running", 5, "applied 1 b noon"),
	}},
	{"reads find one time of receipt", true, []record{
		apply("1", "applied", 1, 2), read("running", 3, "applied 1 any noon"), apply("1", "applied", 5, 6),
		apply("2", "repeated", 7, 8), read("drained", 9, "applied 1 any noon", "repeated 2 any one"),
	}},
	{"the time of receipt changes between two reads", false, []record{
		apply("1", "applied", 1, 2), read("running", 3, "applied 1 any noon"), apply("1", "applied", 5, 6),
		read("drained", 9, "applied 1 any one"),
	}},
	{"the time of receipt of a repetition changes between two reads", false, []record{
		apply("1", "applied", 1, 2), apply("2", "repeated", 3, 4),
		read("running", 5, "applied 1 any noon", "repeated 2 any noon"),
		read("running", 7, "applied 1 any noon", "repeated 2 any one"),
	}},
	{"what is applied after an erasure has another content and time of receipt", true, []record{
		apply("1", "applied", 1, 2).sending("a"), read("running", 3, "applied 1 a noon"), erase(5, 6),
		apply("1", "applied", 8, 9).sending("b"), read("running", 10, "applied 1 b one"),
	}},
	{"an erasure changes what it spares", false, []record{
		erase(1, 9), apply("1", "applied", 2, 3).sending("a"), read("running", 4, "applied 1 a noon"),
		read("drained", 10, "applied 1 a one"),
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
